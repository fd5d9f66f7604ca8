/** Takes equally long for a near and a far mismatch; only the lengths are revealed. */
export function isEqualInConstantTime(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0)
  return difference === 0
}
