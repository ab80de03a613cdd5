/** What each example must come to, written by hand: the images of its pullers, and when each object of ours comes and goes. */

/** Puller → the images its pods name. */
export function expectedImages(name: string): Record<string, readonly string[]> {
  void name;
  return {};
}

export function expectedOrder(name: string): readonly string[] {
  void name;
  return [];
}
