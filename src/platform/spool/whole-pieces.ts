import type { FileHandle } from 'node:fs/promises';

/** Writes all of `piece`: a single call may write less. */
export async function writeAll(file: FileHandle, piece: Buffer, position: number): Promise<void> {
  for (let written = 0; written < piece.length;) {
    written += (await file.write(piece, written, piece.length - written, position + written)).bytesWritten;
  }
}

/** Reads `length` bytes. @throws when there are fewer */
export async function readAll(file: FileHandle, length: number, position: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(length);
  for (let read = 0; read < length;) {
    const { bytesRead } = await file.read(piece, read, length - read, position + read);
    if (bytesRead === 0) throw new Error(`a spooled file ended ${length - read} bytes early`);
    read += bytesRead;
  }
  return piece;
}
