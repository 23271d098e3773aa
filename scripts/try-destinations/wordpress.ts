import { freePort } from '@blog-content/local-infrastructure';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endGroup, run, untilItAnswers } from './processes.ts';

const SOURCES = '/usr/share/wordpress';
const USER = 'owner';

/** What a test needs of a WordPress. */
export interface StartedWordPress {
  readonly url: string;
  readonly rest: string;
  readonly user: string;
  readonly applicationPassword: string;
  /** Whether it has the fields of SEO plugins. */
  readonly hasSeo: boolean;
  /** The folder of its files. */
  readonly site: string;
}

/**
 * Starts the distribution's WordPress with a MariaDB of its own, in `folder`. Installs the packages where they are
 * missing, which takes root.
 */
export async function startWordPress(folder: string, resources: AsyncDisposableStack): Promise<StartedWordPress> {
  await installPackages();
  const site = join(folder, 'site');
  const socket = join(folder, 'database.sock');
  await mkdir(folder, { recursive: true });
  // MariaDB's own user has to get there.
  await chmod(dirname(folder), 0o755);
  await startMariaDb(folder, socket, resources);
  await cp(SOURCES, site, { recursive: true, dereference: true });
  await rm(join(site, 'wp-config.php'), { force: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(site, 'wp-config.php'), configuration(socket, url));
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true });
  await writeFile(join(site, 'wp-content/mu-plugins/seo-fields.php'), SEO_FIELDS);
  await writeFile(join(folder, 'router.php'), ROUTER);
  await writeFile(join(folder, 'set-up.php'), SET_UP);
  const { stdout } = await run('php', [...QUIET, join(folder, 'set-up.php'), site, `127.0.0.1:${port}`]);
  const php = spawn('php', [...QUIET, '-S', `127.0.0.1:${port}`, '-t', site, join(folder, 'router.php')], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
    stdio: 'ignore',
    detached: true,
  });
  resources.defer(() => endGroup(php));
  await untilItAnswers(`${url}/wp-json/`, php);
  const [applicationPassword = ''] = stdout.trim().split('\n').slice(-1);
  return { url, rest: `${url}/wp-json/wp/v2`, user: USER, applicationPassword, hasSeo: true, site };
}

/** Options of PHP. */
export const QUIET = ['-d', 'display_errors=stderr', '-d', 'sendmail_path=/bin/true', '-d', 'upload_max_filesize=20M'];

async function installPackages(): Promise<void> {
  const programs = await Promise.all([
    run('mariadbd', ['--version']).then(
      () => true,
      () => false,
    ),
    run('php', ['-m']).then(
      ({ stdout }) => stdout.includes('mysqli'),
      () => false,
    ),
  ]);
  if (existsSync(join(SOURCES, 'wp-load.php')) && programs.every(Boolean)) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  const packages = ['wordpress', 'mariadb-server', 'php-cli', 'php-mysql'];
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}

async function startMariaDb(folder: string, socket: string, resources: AsyncDisposableStack): Promise<void> {
  const data = join(folder, 'data');
  await chmod(folder, 0o755);
  // It does not run as root.
  const isRoot = process.getuid?.() === 0;
  const asUser = isRoot ? ['--user=mysql'] : [];
  await mkdir(data);
  if (isRoot) await run('chown', ['mysql', folder, data]);
  const how = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await run('mariadb-install-db', ['--no-defaults', ...asUser, `--datadir=${data}`, ...how]);
  const server = spawn(
    'mariadbd',
    ['--no-defaults', ...asUser, `--datadir=${data}`, '--skip-networking', `--socket=${socket}`],
    { stdio: 'ignore', detached: true },
  );
  resources.defer(() => endGroup(server));
  const sql = 'CREATE DATABASE IF NOT EXISTS tests CHARACTER SET utf8mb4';
  for (let tries = 0; ; tries += 1) {
    const isReady = await run('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-e', sql]).then(
      () => true,
      () => false,
    );
    if (isReady) return;
    if (tries === 300) throw new Error('MariaDB does not respond.');
    await sleep(100);
  }
}

const configuration = (socket: string, url: string) => `<?php
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
  define($name . '_KEY', "tests only $name");
  define($name . '_SALT', "tests only, too $name");
}
define('DB_HOST', 'localhost:${socket}');
define('DB_NAME', 'tests');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', '${url}');
define('WP_SITEURL', '${url}');
// Without TLS, application passwords are for local sites only.
define('WP_ENVIRONMENT_TYPE', 'local');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

/** PHP's own server knows no rewriting of addresses. */
const ROUTER = `<?php
$root = $_SERVER['DOCUMENT_ROOT'];
if (is_file($root . urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)))) return false;
chdir($root);
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = "$root/index.php";
require "$root/index.php";
`;

/**
 * The plugins are not to be had here. This does what their documentation says of theirs: Yoast's fields as a site
 * registers them for the REST API, and Rank Math's route.
 */
const SEO_FIELDS = `<?php
add_action('rest_api_init', function () {
  $writable = ['show_in_rest' => true, 'single' => true, 'type' => 'string', 'auth_callback' => '__return_true'];
  foreach ([
    'title', 'metadesc', 'focuskw', 'canonical', 'meta-robots-noindex', 'opengraph-title', 'opengraph-description',
    'opengraph-image', 'twitter-title', 'twitter-description', 'twitter-image',
  ] as $name) register_post_meta('post', "_yoast_wpseo_$name", $writable);
  foreach (['serves' => 'integer', 'origin' => 'string'] as $name => $type)
    register_post_meta('post', $name, ['type' => $type] + $writable);
  register_rest_route('rankmath/v1', '/updateMeta', [
    'methods' => 'POST',
    'permission_callback' => fn () => current_user_can('edit_posts'),
    'callback' => function ($request) {
      foreach ($request['meta'] as $key => $value) update_post_meta($request['objectID'], $key, $value);
      return true;
    },
  ]);
  // Only to look at what has been written by it.
  foreach ([
    'title', 'description', 'focus_keyword', 'canonical_url', 'robots', 'facebook_title', 'twitter_title',
  ] as $name) {
    register_rest_field('post', "seen_rank_math_$name", [
      'get_callback' => fn ($post) => get_post_meta($post['id'], "rank_math_$name", true),
    ]);
  }
});
`;

/** Sets the site up, and prints an application password of its owner. */
const SET_UP = `<?php
[, $site, $host] = $argv;
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = $host;
require "$site/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
ob_start();
$made = wp_install('Tests', '${USER}', 'owner@example.com', true, '', wp_generate_password());
update_option('permalink_structure', '/%postname%/');
$GLOBALS['wp_rewrite']->init();
flush_rewrite_rules(false);
[$password] = WP_Application_Passwords::create_new_application_password($made['user_id'], ['name' => 'tests']);
ob_end_clean();
echo "$password\\n";
`;
