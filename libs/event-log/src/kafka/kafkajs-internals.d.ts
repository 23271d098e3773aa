declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    readonly pending: readonly unknown[];
    isQuiet?: boolean;
    scheduleCheckPendingRequests: (this: RequestQueue) => void;
  }
}
