import { loadConfig, type ConfigError } from '@blog-content/service-runtime';
import { z } from 'zod';
import { emailEnvironment, needsOfEmail } from './email-environment.ts';

const environment = z.object(emailEnvironment).superRefine(needsOfEmail);
const RIGHT = {
  SMTP_URL: 'smtp://me:p%40ss@smtp.example.com',
  SMTP_FROM: 'Garden blog <blog@example.com>',
  DASHBOARD_URL: 'https://blog.example.com/',
};
const load = (env: Record<string, string>) => loadConfig(environment, env, 'x');
const problems = (env: Record<string, string>) => {
  try {
    load(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

describe('the environment of emails', () => {
  it('may be empty', () => {
    expect(load({}).SMTP_URL).toBeUndefined();
  });

  it('is a server, a sender and the address of the dashboard', () => {
    expect(load(RIGHT)).toMatchObject({
      SMTP_URL: { host: 'smtp.example.com', port: 587, isSecure: false, user: 'me', password: 'p@ss' },
      SMTP_FROM: { name: 'Garden blog', address: 'blog@example.com' },
      SMTP_ALLOW_PLAINTEXT: false,
      DASHBOARD_URL: 'https://blog.example.com',
    });
    expect(load({ ...RIGHT, SMTP_URL: 'smtps://[::1]', SMTP_FROM: 'blog@example.com' })).toMatchObject({
      SMTP_URL: { host: '::1', port: 465, isSecure: true, user: null, password: null },
      SMTP_FROM: { name: '', address: 'blog@example.com' },
    });
  });

  it('of a server needs the sender and the address of the dashboard', () => {
    const { SMTP_URL } = RIGHT;
    expect(problems({ SMTP_URL }).map(({ variable }) => variable)).toEqual(['SMTP_FROM', 'DASHBOARD_URL']);
  });

  it.each([
    'https://smtp.example.com',
    'smtp://',
    'smtp.example.com:587',
    'smtp://me@smtp.example.com',
    'smtp://me:hunter2@smtp.example.com?tls.rejectUnauthorized=false',
    'smtp://me:hunter2@smtp.example.com/path',
    'smtp://me:hunter%2@smtp.example.com',
  ])('refuses %s as a server, and says none of it', (url) => {
    const found = problems({ ...RIGHT, SMTP_URL: url });
    expect(found.map(({ variable }) => variable)).toEqual(['SMTP_URL']);
    expect(JSON.stringify(found)).not.toMatch(/hunter/);
  });

  it.each([
    'blog',
    'Blog <blog>',
    'Blog <blog@example.com',
    'a@example.com, b@example.com',
    'A\r\nBcc: b <b@example.com>',
  ])('refuses %j as a sender', (from) => {
    expect(problems({ ...RIGHT, SMTP_FROM: from }).map(({ variable }) => variable)).toEqual(['SMTP_FROM']);
  });
});
