// An input of image-storage's tests: what passed without an S3 server has not passed with it. Says whether there is
// one.
import { s3Availability } from '@blog-content/local-infrastructure';

console.log(`S3 for tests: ${s3Availability().available ? 'there' : 'none'}`);
