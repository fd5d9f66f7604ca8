export type StoreRefusal = 'in_use' | 'other_channel' | 'damaged'

/** A store can't be used as it was asked for. `reason` is made to be switched on; the message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly reason: StoreRefusal

  constructor(reason: StoreRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}
