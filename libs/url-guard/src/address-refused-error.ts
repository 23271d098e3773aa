/** The `code` of {@link AddressRefusedError}, kept by got on its `RequestError`. */
export const ADDRESS_REFUSED_CODE = 'ERR_ADDRESS_REFUSED';

const MAX_CAUSES = 8;

/**
 * A connection that was refused before a packet left, because of where it would have gone. It is no network error:
 * trying again is pointless until the owner changes the URL or the DNS.
 */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code = ADDRESS_REFUSED_CODE;
  /** The host as it was asked for. */
  readonly hostname: string;
  /**
   * The address that broke the rules, if one was known. For logs: the message leaves it out, so that owners cannot map
   * our DNS.
   */
  readonly address: string | undefined;

  constructor(message: string, hostname: string, address?: string) {
    super(message);
    this.hostname = hostname;
    this.address = address;
  }
}

/**
 * Tells whether a request failed because its address was refused: takes the error itself or what got wraps it in.
 */
export function isAddressRefused(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (current instanceof AddressRefusedError) return true;
    if ('code' in current && current.code === ADDRESS_REFUSED_CODE) return true;
    current = current.cause;
  }
  return false;
}
