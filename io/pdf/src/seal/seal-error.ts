/** Which part did not do its work. The document is not at fault, and a later attempt may succeed. */
export type SealFault = 'signer' | 'timestamp' | 'process'

export class SealError extends Error {
  override readonly name = 'SealError'
  readonly fault: SealFault

  constructor(fault: SealFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
