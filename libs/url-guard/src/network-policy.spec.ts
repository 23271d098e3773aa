import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { SPECIAL_IPV4_RANGES, SPECIAL_IPV6_RANGES } from './addresses/special-ranges.ts';

const manifests = readFileSync(join(import.meta.dirname, '../../../k8s/base/network-policies.yaml'), 'utf8');
const policy = manifests.split('\n---\n').find((document) => document.includes('name: services-to-internet'));
const allowed = new BlockList();
const excepted = new BlockList();
for (const [, key, network = '', prefix] of (policy ?? '').matchAll(/(cidr:|-) ([0-9a-f.:]+)\/(\d+)$/gm))
  (key === '-' ? excepted : allowed).addSubnet(network, Number(prefix), familyOf(network));

const passes = (address: string) =>
  allowed.check(address, familyOf(address)) && !excepted.check(address, familyOf(address));

describe('the NetworkPolicy of the services that call out', () => {
  it.each([...SPECIAL_IPV4_RANGES, ...SPECIAL_IPV6_RANGES])('lets nothing through to %s (%s)', (cidr) => {
    const family = familyOf(cidr) === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
    expect(passes(family.networkAddressFromCIDR(cidr).toString())).toBe(false);
    expect(passes(family.broadcastAddressFromCIDR(cidr).toString())).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'lets %s through',
    (address) => {
      expect(passes(address)).toBe(true);
    },
  );
});

describe('the NetworkPolicies of an upgrade', () => {
  it('reach pods that earlier releases left running: they are selected by app.kubernetes.io/name alone', () => {
    const labels = [...manifests.matchAll(/(app\.kubernetes\.io\/[a-z-]+)[:,]/g)].map(([, label]) => label);
    expect(new Set(labels)).toEqual(new Set(['app.kubernetes.io/name']));
  });

  // That every service is in each list: services.spec.ts of libs/local-services.
  it.each(['dns', 'postgres', 'kafka'])('let the services and the rebuild of the read model out to %s', (name) => {
    const open = manifests.split('\n---\n').find((document) => document.includes(`name: services-to-${name}\n`));
    expect(open).toMatch(/values: \[content-service, [a-z, -]+, rebuild-read-model\],/);
  });
});

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
