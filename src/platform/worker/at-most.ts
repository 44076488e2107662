/** Resolves after `ms`, or as soon as `sooner` does. */
export async function atMost(ms: number, sooner: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([elapsed, sooner]);
  clearTimeout(timer);
}
