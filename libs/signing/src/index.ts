export {
  sign,
  signatureHeaders,
  standardWebhooksHeaders,
  verify,
  LEGACY_SIGNATURE_HEADER,
  LEGACY_SIGNATURE_PREFIX,
  SIGNATURE_HEADER,
} from './sign.ts';
