/** Pixels of a drawing made of rectangles (`M x y h w v h …`), as a camera would see it; RGBA, eight pixels a unit. */
export function rasterise(svg: string): { pixels: Uint8ClampedArray; width: number } {
  const SCALE = 8;
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const width = size * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1) {
      for (let column = Number(x) * SCALE; column < (Number(x) + Number(length)) * SCALE; column += 1) {
        pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
      }
    }
  }
  return { pixels, width };
}
