// `event-log` in the image: looks at the events that this service couldn't process.
import '@blog-content/event-log/command';
