/** Content that viewers would guess at: it is reported, and neither searched nor filled. */
export class UnreadableContent extends Error {
  override readonly name = 'UnreadableContent'
}
