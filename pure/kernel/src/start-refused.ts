/** A process must not start like this. The message completes "region cannot start: …" and says what to do. */
export class StartRefusedError extends Error {
  override readonly name = 'StartRefusedError'
}
