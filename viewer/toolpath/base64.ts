export function base64(numbers: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(4 * numbers.length));
  for (const [i, value] of numbers.entries()) bytes.setFloat32(4 * i, value, true);
  const letters = Array.from(new Uint8Array(bytes.buffer), (byte) => String.fromCharCode(byte));
  return btoa(letters.join(''));
}
