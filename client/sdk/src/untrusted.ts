const sentences = {
  account_type: 'The server says that the account is of another type than this client was told',
  own_key: 'The public key that the server shows for this account does not belong to its private key',
  privacy:
    'The server says that the files of this field are not private, and this device does not know that from you: give ' +
    '`is_private` with the value',
  other_service: 'The server answered with another service than the requested one',
  key_not_announced: 'The server shows another key for this service than the one that was announced with its code',
  other_run: 'The server answered with another run than the requested one',
  asked_otherwise: 'The service asks for something else than the user was shown',
  unasked: 'The server answered with a key of an account that was not asked for',
  connection_unknown:
    'No device of this account made this connection, or its record is missing: if you made it, call connections.confirm',
  connection_forged: 'The record of this connection was not made by a device of this account',
  connection_outdated: 'The server shows an older state of this connection than this device has seen',
  connection_ended: 'The server shows a connection that this device has ended',
  mapping_unknown:
    'The server says that a service follows this field, and no device of this account decided so: if you did, call ' +
    'connections.confirm',
  signature_missing: 'The value has no signature of its sender, and this connection has signed values',
  signature_malformed: 'The signature of the value cannot be read',
  signature_mismatch: 'The signature belongs to another value, field, connection or service',
  sender_changed: 'The value is signed by another key than the earlier values of this connection',
  file_moved: 'The address of the file belongs to another connection',
  file_changed: 'The file is not the one that the connection announces',
  document_changed: 'The content of the document is not the one that its digests name',
  run_parties: 'The server names other participants of the run than this device knows',
  run_definition: 'The server shows another definition of the run than this device knows',
  plaintext_not_agreed:
    'The server says that this app takes its claims as text, and the person has not agreed to that for this app: if they ' +
    'did, give `allowPlaintext`',
  replayed: 'The value is older than one that was already received for this field',
} as const

export type UntrustedReason = keyof typeof sentences

/**
 * The server's answer contradicts what this side knows, so it was not used: nothing was sealed or sent because of it. The
 * server is faulty or hostile, unless the message names a call that you have to make.
 */
export class UntrustedAnswerError extends Error {
  override readonly name = 'UntrustedAnswerError'
  readonly reason: UntrustedReason
  /** The connection, field or account that the answer is about. */
  readonly subject: string

  constructor(reason: UntrustedReason, subject: string) {
    super(`${sentences[reason]} (${subject}).`)
    this.reason = reason
    this.subject = subject
  }
}
