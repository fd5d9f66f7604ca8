/** Registrations of one address that can be pending at once. */
export const MOST_PENDING = 5

/**
 * The pending registration that gives way to one more from `source`; null while there is room. `pending` is the oldest
 * first. The source with most of them loses its oldest, the caller's own before others: from one source, a stranger can
 * neither fill all places of an address nor displace the owner's registration.
 */
export function choosePlace<Pending extends { readonly source: string }>(
  pending: readonly Pending[],
  source: string,
): Pending | null {
  if (pending.length < MOST_PENDING) return null
  const counts = new Map([[source, 1]])
  for (const each of pending) counts.set(each.source, (counts.get(each.source) ?? 0) + 1)
  const most = Math.max(...counts.values())
  const own = pending.find((each) => each.source === source)
  if (own !== undefined && counts.get(source) === most) return own
  return pending.find((each) => counts.get(each.source) === most) ?? null
}
