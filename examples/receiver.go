// A receiver of the Blog Content Service's webhooks, with nothing but Go's standard library.
//
// It verifies each request, answers as docs/webhooks.md says, and keeps each post as <folder>/<blog_id>.json.
//
//	WEBHOOK_SECRET=<SIGNING_SECRET> go run examples/receiver.go --port 8080
//
// It speaks plain HTTP: put it behind a server that ends TLS, because the service calls https: URLs only.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const maxBodyBytes = 8 << 20

// A blog_id becomes the name of a file: nothing else than a UUID may.
var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

type fields = map[string]any

// refused is a request that gets another answer than success.
type refused struct {
	status int
	reason string
}

func (r refused) Error() string { return r.reason }

type receiver struct {
	secret, folder, siteURL string
	maxAge                  time.Duration
	// Deliveries may come at the same time.
	lock sync.Mutex
}

// isSigned says whether the signature is that of the raw bytes; compared in constant time.
func isSigned(body []byte, signature, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(signature))
}

func (r *receiver) file(blogID string) string { return filepath.Join(r.folder, blogID+".json") }

func (r *receiver) load(blogID string) (fields, error) {
	text, err := os.ReadFile(r.file(blogID))
	if os.IsNotExist(err) {
		return nil, nil
	}
	post := fields{}
	if err == nil {
		err = json.Unmarshal(text, &post)
	}
	return post, err
}

func (r *receiver) store(post fields) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(post); err != nil {
		return err
	}
	file := r.file(post["blog_id"].(string))
	// Whoever reads the folder sees the old post or the new one, never half of one.
	if err := os.WriteFile(file+".new", text.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// save upserts by blog_id. It gives false when this very publish was handled before.
func (r *receiver) save(post fields, publishedAt time.Time) (bool, error) {
	key, hasKey := post["idempotency_key"].(string)
	handled := filepath.Join(r.folder, "handled-keys.txt")
	if hasKey {
		keys, err := os.ReadFile(handled)
		if err != nil && !os.IsNotExist(err) {
			return false, err
		}
		if strings.Contains("\n"+string(keys), "\n"+key+"\n") {
			return false, nil
		}
	}
	known, err := r.load(post["blog_id"].(string))
	if err != nil {
		return false, err
	}
	// A request that timed out can still come to its end after a newer one.
	before, _ := time.Parse(time.RFC3339, fmt.Sprint(known["published_at"]))
	if known == nil || !before.After(publishedAt) {
		post["hidden"] = false
		if err := r.store(post); err != nil {
			return false, err
		}
	}
	if !hasKey {
		return true, nil
	}
	// Only now: a write that fails must be tried again.
	file, err := os.OpenFile(handled, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, err
	}
	defer file.Close()
	_, err = file.WriteString(key + "\n")
	return true, err
}

// checkPost says when the post was published, and refuses one that this receiver cannot take.
func (r *receiver) checkPost(event fields) (time.Time, error) {
	text, _ := event["published_at"].(string)
	publishedAt, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return publishedAt, refused{400, "published_at is not a timestamp"}
	}
	if _, ok := event["slug"].(string); !ok {
		return publishedAt, refused{400, "slug is missing"}
	}
	key, hasKey := event["idempotency_key"]
	if keyText, ok := key.(string); hasKey && (!ok || strings.ContainsAny(keyText, "\r\n")) {
		return publishedAt, refused{400, "idempotency_key is no key"}
	}
	// Retries keep their published_at, and their key tells a replay. Only what has no key is judged by age.
	if !hasKey && r.maxAge > 0 && time.Since(publishedAt) > r.maxAge {
		return publishedAt, refused{400, "published too long ago"}
	}
	return publishedAt, nil
}

// handle says what to answer to an event whose signature is right.
func (r *receiver) handle(event fields) (fields, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	name, _ := event["event"].(string)
	blogID, _ := event["blog_id"].(string)
	switch name {
	case "test.ping":
		return fields{"ok": true}, nil
	case "blog.published", "blog.updated", "blog.unpublished", "blog.deleted":
	default:
		return nil, refused{400, "unknown event"}
	}
	if strings.HasPrefix(blogID, "preview-") {
		return fields{"ok": true, "skipped": true}, nil
	}
	if !uuid.MatchString(blogID) {
		return nil, refused{400, "blog_id is not a UUID"}
	}
	switch name {
	case "blog.unpublished":
		post, err := r.load(blogID)
		if post != nil && err == nil {
			post["hidden"] = true
			err = r.store(post)
		}
		return fields{"ok": true}, err
	case "blog.deleted":
		if err := os.Remove(r.file(blogID)); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		return fields{"ok": true}, nil
	}
	publishedAt, err := r.checkPost(event)
	if err != nil {
		return nil, err
	}
	isNew, err := r.save(event, publishedAt)
	answer := fields{"ok": true, "id": blogID}
	if r.siteURL != "" {
		answer["url"] = strings.TrimRight(r.siteURL, "/") + "/blog/" + event["slug"].(string) + "/"
	}
	if !isNew {
		answer["duplicate"] = true
	}
	return answer, err
}

func (r *receiver) receive(request *http.Request) (fields, error) {
	if request.Method != http.MethodPost {
		return nil, refused{405, "only POST"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxBodyBytes))
	if err != nil {
		return nil, refused{413, "the body is too large, or did not come whole"}
	}
	if !isSigned(body, request.Header.Get("X-Webhook-Signature"), r.secret) {
		return nil, refused{401, "wrong signature"}
	}
	var event fields
	// Numbers stay as they were written.
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if !utf8.Valid(body) || decoder.Decode(&event) != nil || event == nil || decoder.More() {
		return nil, refused{400, "the body is not a JSON object"}
	}
	return r.handle(event)
}

func (r *receiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	answer, err := r.receive(request)
	status := http.StatusOK
	if no, ok := err.(refused); ok {
		status, answer = no.status, fields{"ok": false, "error": no.reason}
	} else if err != nil {
		// 500 is tried again, where the service tries again at all.
		fmt.Fprintln(os.Stderr, err)
		status, answer = http.StatusInternalServerError, fields{"ok": false, "error": "not written"}
	}
	response.Header().Set("Content-Type", "application/json")
	response.WriteHeader(status)
	_ = json.NewEncoder(response).Encode(answer)
}

func main() {
	r := &receiver{secret: os.Getenv("WEBHOOK_SECRET")}
	port := flag.Int("port", 8080, "port to listen on; 0 takes a free one")
	host := flag.String("host", "127.0.0.1", "address to listen on")
	maxAge := flag.Int("max-age", 300, "refuse posts without idempotency_key that are older, in seconds; 0: never")
	flag.StringVar(&r.folder, "folder", "posts", "where the posts go")
	flag.StringVar(&r.siteURL, "site-url", "", "your site; <site-url>/blog/<slug>/ goes into the answer")
	flag.Parse()
	r.maxAge = time.Duration(*maxAge) * time.Second
	if r.secret == "" {
		fmt.Fprintln(os.Stderr, "WEBHOOK_SECRET is needed")
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", *host, *port))
	if err == nil {
		err = os.MkdirAll(r.folder, 0o755)
	}
	if err == nil {
		fmt.Fprintf(os.Stderr, "Listening on http://%s, posts go to %s\n", listener.Addr(), r.folder)
		// A silent peer does not hold a connection for longer.
		server := http.Server{Handler: r, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second}
		err = server.Serve(listener)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
