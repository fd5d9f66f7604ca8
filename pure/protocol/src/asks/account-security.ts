import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { Kdf } from '../wire/keys.ts'

const userId = Type.String({ format: 'uuid' })

/** Whether an address belongs to another account. The asking region mails the answer, it never gives it to its caller. */
export const checkEmailAsk = defineAsk({
  command: 'directory.check_email',
  idempotency: 'none',
  body: Type.Object({ user_id: userId, email: Type.String() }),
  reply: Type.Object({ is_taken: Type.Boolean() }),
})

/** The same as the tell `account.kdf_changed`, so that whoever changed a password can log in at once. */
export const putKdfAsk = defineAsk({
  command: 'directory.put_kdf',
  idempotency: 'stored',
  body: Type.Object({ user_id: userId, kdf: Kdf, rev: Type.Integer() }),
  reply: Type.Object({}),
})
