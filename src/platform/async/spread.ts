/** Distributes `work` among `hands`: each takes the next piece when it has finished one. @throws the first error */
export async function spread<Hand>(hands: readonly Hand[], work: readonly ((hand: Hand) => Promise<unknown>)[]): Promise<void> {
  const rest = [...work];
  const take = async (hand: Hand): Promise<void> => {
    for (let next = rest.shift(); next; next = rest.shift()) await next(hand);
  };
  await Promise.all(hands.map(take));
}
