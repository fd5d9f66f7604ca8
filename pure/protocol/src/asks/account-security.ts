import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { Kdf } from '../wire/keys.ts'

const userId = Type.String({ format: 'uuid' })

/**
 * Whether an address belongs to another account. The asking region mails the answer and never returns it to its caller.
 */
export const checkEmailAsk = defineAsk({
  command: 'directory.check_email',
  idempotency: 'none',
  body: Type.Object({ user_id: userId, email: Type.String() }),
  reply: Type.Object({ is_taken: Type.Boolean() }),
})

/** Same content as the tell `account.kdf_changed`, so that a user can log in right after changing the password. */
export const putKdfAsk = defineAsk({
  command: 'directory.put_kdf',
  idempotency: 'stored',
  body: Type.Object({ user_id: userId, kdf: Kdf, rev: Type.Integer() }),
  reply: Type.Object({}),
})
