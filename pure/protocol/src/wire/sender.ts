import Type from 'typebox'

/**
 * The platform stores and hands on these members and never interprets them: they protect customers and services against
 * the platform. See docs/decisions/0015-a-server-that-lies.md for their content.
 */
export const SenderSignature = Type.String({
  title: 'SenderSignature',
  minLength: 1,
  maxLength: 512,
  pattern: '^[A-Za-z0-9_.-]+$',
  description:
    "The signature of the customer's device over connection, field, service, sealed value and time. Services verify it " +
    'with the SDK; the platform cannot make one.',
})

/** For members of a request and of an answer. */
export const senderMember = { sender_signature: Type.Optional(SenderSignature) } as const

export const DeviceRecord = Type.String({
  title: 'DeviceRecord',
  minLength: 1,
  maxLength: 65_536,
  pattern: '^[A-Za-z0-9_.-]+$',
  description:
    "A note of the customer's device to the other devices of the account, under a key that the platform does not have. " +
    'Stored with the connection and returned unchanged; a later one replaces it.',
})

export const deviceRecordMember = { device_record: Type.Optional(DeviceRecord) } as const
