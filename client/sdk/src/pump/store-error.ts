export type StoreRefusal = 'in_use' | 'other_channel' | 'damaged'

/** A store cannot be used. Switch on `reason`; the message says what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly reason: StoreRefusal

  constructor(reason: StoreRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}
