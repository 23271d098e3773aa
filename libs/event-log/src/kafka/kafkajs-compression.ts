import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import kafkajs from 'kafkajs';

/** What a request of ours is compressed to unpacks to at most so many times its size. */
const MAX_COMPRESSION_RATIO = 8;

const { GZIP } = kafkajs.CompressionTypes;
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The compression of kafkajs: what it gives and takes. */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(buffer: Buffer): Promise<Buffer>;
}

/**
 * gzip makes a thousandth of a text that repeats itself, and a fetch, which is limited as it is compressed, would unpack
 * to a thousand times its limit. Huffman codes alone take a bit of each byte at least.
 */
const boundedGzip: Codec = {
  async compress({ buffer }) {
    const packed = await pack(buffer);
    const isBounded = packed.length * MAX_COMPRESSION_RATIO >= buffer.length;
    return isBounded ? packed : pack(buffer, { strategy: constants.Z_HUFFMAN_ONLY });
  },
  decompress: (buffer) => unpack(buffer),
};

/** Has kafkajs compress so. */
export function boundCompression(): void {
  kafkajs.CompressionCodecs[GZIP] = () => boundedGzip;
}
