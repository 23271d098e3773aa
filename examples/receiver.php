<?php
/*
 * A receiver of the Blog Content Service's webhooks, with nothing but PHP.
 *
 * It verifies each request, answers as docs/webhooks.md says, and keeps each post as <folder>/<blog_id>.json.
 * Put it on any server that runs PHP 8, with these in its environment:
 *
 *   WEBHOOK_SECRET    the integration's signing secret
 *   POSTS_FOLDER      where the posts go, outside what the server shows (./posts unless set)
 *   SITE_URL          your site; <SITE_URL>/blog/<slug>/ goes into the answer
 *   MAX_AGE_SECONDS   refuse posts without idempotency_key that are older (300 unless set; 0: never)
 *
 * To try it:  WEBHOOK_SECRET=<SIGNING_SECRET> php -S 127.0.0.1:8080 examples/receiver.php
 */
declare(strict_types=1);

const MAX_BODY_BYTES = 8 * 1024 * 1024;
// A blog_id becomes the name of a file: nothing else than a UUID may.
const UUID = '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D';

/** A request that gets another answer than success. */
final class Refused extends Exception
{
    public function __construct(public readonly int $status, string $reason)
    {
        parent::__construct($reason);
    }
}

/** Whether the signature is that of the raw bytes; compared in constant time. */
function is_signed(string $body, string $signature, string $secret): bool
{
    return hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}

/** The posts, one file each, and the keys of the publishes that were handled. */
final class Posts
{
    /** @var resource Deliveries may come at the same time: this is locked until the request ends. */
    private $lock;

    public function __construct(private readonly string $folder)
    {
        if (!is_dir($folder) && !mkdir($folder, 0o755, true) && !is_dir($folder)) {
            throw new RuntimeException("$folder cannot be made");
        }
        $this->lock = fopen("$folder/.lock", 'c') ?: throw new RuntimeException('no lock');
        flock($this->lock, LOCK_EX);
    }

    /** Upserts by blog_id. False when this very publish was handled before. */
    public function save(stdClass $post): bool
    {
        $key = $post->idempotency_key ?? null;
        $handled = "$this->folder/handled-keys.txt";
        if ($key !== null && is_file($handled) && in_array($key, file($handled, FILE_IGNORE_NEW_LINES), true)) {
            return false;
        }
        $known = $this->load($post->blog_id);
        // A request that timed out can still come to its end after a newer one.
        if ($known === null || new DateTimeImmutable($known->published_at) <= new DateTimeImmutable($post->published_at)) {
            $post->hidden = false;
            $this->store($post);
        }
        // Only now: a write that fails must be tried again.
        if ($key !== null && file_put_contents($handled, "$key\n", FILE_APPEND) === false) {
            throw new RuntimeException("$handled cannot be written");
        }
        return true;
    }

    public function hide(string $blog_id): void
    {
        $post = $this->load($blog_id);
        if ($post !== null) {
            $post->hidden = true;
            $this->store($post);
        }
    }

    public function delete(string $blog_id): void
    {
        if (is_file("$this->folder/$blog_id.json") && !unlink("$this->folder/$blog_id.json")) {
            throw new RuntimeException("$blog_id cannot be deleted");
        }
    }

    private function load(string $blog_id): ?stdClass
    {
        $file = "$this->folder/$blog_id.json";
        return is_file($file) ? json_decode((string) file_get_contents($file), false, 64, JSON_THROW_ON_ERROR) : null;
    }

    private function store(stdClass $post): void
    {
        $file = "$this->folder/$post->blog_id.json";
        $json = json_encode($post, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
        // Whoever reads the folder sees the old post or the new one, never half of one.
        if (file_put_contents("$file.new", $json) === false || !rename("$file.new", $file)) {
            throw new RuntimeException("$file cannot be written");
        }
    }
}

function read_event(string $body): stdClass
{
    try {
        $event = json_decode($body, false, 64, JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        throw new Refused(400, 'the body is not JSON');
    }
    return $event instanceof stdClass ? $event : throw new Refused(400, 'the body is not a JSON object');
}

/** What this receiver needs of a post. Fields that it does not know are kept: new ones may come. */
function check_post(stdClass $event, int $max_age): void
{
    $published_at = is_string($event->published_at ?? null) ? strtotime($event->published_at) : false;
    if ($published_at === false) {
        throw new Refused(400, 'published_at is not a timestamp');
    }
    if (!is_string($event->slug ?? null)) {
        throw new Refused(400, 'slug is missing');
    }
    $key = $event->idempotency_key ?? null;
    if ($key !== null && (!is_string($key) || preg_match('/[\r\n]/', $key))) {
        throw new Refused(400, 'idempotency_key is no key');
    }
    // Retries keep their published_at, and their key tells a replay. Only what has no key is judged by age.
    if ($key === null && $max_age > 0 && time() - $published_at > $max_age) {
        throw new Refused(400, "published more than $max_age s ago");
    }
}

/** What to answer to an event whose signature is right. */
function handle(stdClass $event, string $folder, string $site_url, int $max_age): array
{
    $name = $event->event ?? null;
    $blog_id = is_string($event->blog_id ?? null) ? $event->blog_id : '';
    if ($name === 'test.ping') {
        return ['ok' => true];
    }
    if (!in_array($name, ['blog.published', 'blog.updated', 'blog.unpublished', 'blog.deleted'], true)) {
        throw new Refused(400, 'unknown event');
    }
    if (str_starts_with($blog_id, 'preview-')) {
        return ['ok' => true, 'skipped' => true];
    }
    if (!preg_match(UUID, $blog_id)) {
        throw new Refused(400, 'blog_id is not a UUID');
    }
    $posts = new Posts($folder);
    if ($name === 'blog.unpublished') {
        $posts->hide($blog_id);
        return ['ok' => true];
    }
    if ($name === 'blog.deleted') {
        $posts->delete($blog_id);
        return ['ok' => true];
    }
    check_post($event, $max_age);
    $answer = ['ok' => true, 'id' => $blog_id];
    if ($site_url !== '') {
        $answer['url'] = rtrim($site_url, '/') . "/blog/$event->slug/";
    }
    return $posts->save($event) ? $answer : [...$answer, 'duplicate' => true];
}

function receive(): array
{
    $secret = (string) getenv('WEBHOOK_SECRET');
    if ($secret === '') {
        throw new RuntimeException('WEBHOOK_SECRET is not set');
    }
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        throw new Refused(405, 'only POST');
    }
    $body = (string) file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
    if (strlen($body) > MAX_BODY_BYTES) {
        throw new Refused(413, 'the body is too large');
    }
    if (!is_signed($body, $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '', $secret)) {
        throw new Refused(401, 'wrong signature');
    }
    $max_age = getenv('MAX_AGE_SECONDS');
    return handle(
        read_event($body),
        getenv('POSTS_FOLDER') ?: 'posts',
        (string) getenv('SITE_URL'),
        $max_age === false ? 300 : (int) $max_age,
    );
}

ini_set('display_errors', '0');
try {
    [$status, $answer] = [200, receive()];
} catch (Refused $refused) {
    [$status, $answer] = [$refused->status, ['ok' => false, 'error' => $refused->getMessage()]];
} catch (Throwable $error) {
    // 500 is tried again, where the service tries again at all.
    error_log($error->getMessage());
    [$status, $answer] = [500, ['ok' => false, 'error' => 'not written']];
}
http_response_code($status);
header('Content-Type: application/json');
echo json_encode($answer, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
