/** Does it so many times, with the number of each from 0, some concurrently. */
export async function forEach(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const workOff = async () => {
    for (const index of indexes) await work(index);
  };
  await Promise.all(Array.from({ length: atOnce }, workOff));
}
