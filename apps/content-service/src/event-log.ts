// The command `event-log` of the image, for events that this service couldn't process.
import '@blog-content/event-log/command';
