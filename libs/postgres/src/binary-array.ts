/** What is given for an element, by PostgreSQL's name of its type. */
interface Elements {
  uuid: string;
  text: string;
  integer: number;
  boolean: boolean;
  timestamptz: Date;
  bytea: Uint8Array;
}

/** The types that {@link binaryArray} knows. */
export type ElementType = keyof Elements;

/** What it takes for an element of a type. */
export type ElementValue<Type extends ElementType = ElementType> = Elements[Type] | null;

interface Codec<Value> {
  /** The type's number in `pg_type`. */
  readonly oid: number;
  /** Bytes of a value. */
  readonly size: (value: Value) => number;
  /** Returns where the next one may be. */
  readonly write: (value: Value, bytes: Buffer, at: number) => number;
}

const codecs: { readonly [Type in ElementType]: Codec<Elements[Type]> } = {
  uuid: { oid: 2950, size: () => 16, write: writeUuid },
  text: {
    oid: 25,
    size: (value) => Buffer.byteLength(value),
    write: (value, bytes, at) => at + bytes.write(value, at),
  },
  integer: {
    oid: 23,
    size: () => 4,
    write: (value, bytes, at) => {
      if ((value | 0) !== value) throw new RangeError(`${value} is not a 32-bit integer.`);
      return bytes.writeInt32BE(value, at);
    },
  },
  boolean: { oid: 16, size: () => 1, write: (value, bytes, at) => bytes.writeUInt8(value ? 1 : 0, at) },
  timestamptz: { oid: 1184, size: () => 8, write: writeTime },
  bytea: {
    oid: 17,
    size: (value) => value.byteLength,
    write: (value, bytes, at) => {
      bytes.set(value, at);
      return at + value.byteLength;
    },
  },
};

/**
 * An array of one dimension as the parameter of a statement, in PostgreSQL's binary format (`array_send` in its
 * source): the driver passes a buffer on as it is. As text, `pg` looks at each character for what to escape, and the
 * server reads each element back: a uuid takes it five times as long.
 *
 * @throws TypeError for a uuid that is none, RangeError for a number that is no integer of 32 bits or a date that is
 *   none.
 */
export function binaryArray<Type extends ElementType>(type: Type, values: readonly ElementValue<Type>[]): Buffer {
  const { oid, size, write }: Codec<Elements[Type]> = codecs[type];
  let length = values.length === 0 ? 12 : 20;
  let hasNull = 0;
  for (const value of values) {
    if (value === null) hasNull = 1;
    length += 4 + (value === null ? 0 : size(value));
  }
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(hasNull, 4);
  bytes.writeInt32BE(oid, 8);
  if (values.length === 0) return bytes;
  bytes.writeInt32BE(values.length, 12);
  // Where it begins: PostgreSQL counts from 1.
  bytes.writeInt32BE(1, 16);
  let at = 20;
  for (const value of values) {
    const start = at + 4;
    const end = value === null ? start : write(value, bytes, start);
    bytes.writeInt32BE(value === null ? -1 : end - start, at);
    at = end;
  }
  return bytes;
}

/** By a character's code; 0x80 where it is no digit. */
const HEX_DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? 0x80 : digit;
});
const UUID_LENGTH = 36;
/** The position of the first digit of each byte. */
const BYTES_OF_UUID = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const HYPHENS_OF_UUID = [8, 13, 18, 23];
const HYPHEN = 0x2d;

function writeUuid(text: string, bytes: Buffer, at: number): number {
  // Its bit 0x80 is set once anything is not as it should be.
  let seen = text.length === UUID_LENGTH ? 0 : 0x80;
  for (let index = 0; index < 16; index += 1) {
    const start = BYTES_OF_UUID[index]!;
    const high = HEX_DIGITS[text.charCodeAt(start)] ?? 0x80;
    const low = HEX_DIGITS[text.charCodeAt(start + 1)] ?? 0x80;
    seen |= high | low;
    bytes[at + index] = (high << 4) | low;
  }
  for (const index of HYPHENS_OF_UUID) if (text.charCodeAt(index) !== HYPHEN) seen = 0x80;
  if ((seen & 0x80) !== 0) throw new TypeError(`${JSON.stringify(text)} is not a UUID.`);
  return at + 16;
}

/** PostgreSQL's times are microseconds from here on. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

function writeTime(time: Date, bytes: Buffer, at: number): number {
  const milliseconds = time.getTime() - EPOCH_MS;
  if (Number.isNaN(milliseconds)) throw new RangeError('Invalid time.');
  // In two halves: a double is exact for 285 years of microseconds only.
  const high = Math.floor(milliseconds / TWO_TO_32);
  const low = (milliseconds - high * TWO_TO_32) * 1_000;
  const carry = Math.floor(low / TWO_TO_32);
  bytes.writeInt32BE(high * 1_000 + carry, at);
  return bytes.writeUInt32BE(low - carry * TWO_TO_32, at + 4);
}
