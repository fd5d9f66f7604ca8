import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { defineTell } from '../tell.ts'
import { Kdf } from '../wire/keys.ts'
import { nullableText } from '../wire/scalars.ts'

const userId = Type.String({ format: 'uuid' })
const level = Type.Enum(['free', 'basic', 'pro', 'enterprise'])
const userType = Type.Enum(['person', 'company'])

/**
 * Registers an account; changes are asks of their own. The address is hashed at once: the directory keeps no e-mail
 * address.
 */
export const putAccountAsk = defineAsk({
  command: 'directory.put_account',
  idempotency: 'stored',
  body: Type.Object({
    user_id: userId,
    user_type: userType,
    region: Type.String(),
    level,
    email: Type.String(),
    kdf: Kdf,
    public_key: nullableText(),
    /** Set for accounts with a predefined code (personas); every other code is made by the directory. */
    share_code: Type.Optional(Type.String()),
  }),
  reply: Type.Object({
    is_email_taken: Type.Boolean(),
    email_hash: Type.String(),
    /** Null when the address is taken. */
    share_code: nullableText(),
  }),
})

export const changeAccountAsk = defineAsk({
  command: 'directory.change_account',
  idempotency: 'stored',
  body: Type.Object({
    user_id: userId,
    level: Type.Optional(level),
    email: Type.Optional(Type.String()),
    public_key: Type.Optional(Type.String()),
  }),
  reply: Type.Object({ is_email_taken: Type.Boolean(), email_hash: nullableText() }),
})

/** Lookup by share code, for the account itself; null when no account has the code or that account is erased. */
export const findShareCodeAsk = defineAsk({
  command: 'directory.find_share_code',
  idempotency: 'none',
  body: Type.Object({ share_code: Type.String() }),
  reply: Type.Object({
    account: Type.Union([
      Type.Null(),
      Type.Object({ user_id: userId, user_type: userType, region: Type.String(), public_key: nullableText() }),
    ]),
  }),
})

/** About an account of the asking region: its password was changed. `rev` rises; a lower one changes nothing. */
export const kdfChangedTell = defineTell({
  kind: 'account.kdf_changed',
  version: 1,
  body: Type.Object({ user_id: userId, kdf: Kdf, rev: Type.Integer() }),
})

/** To the directory and to every other region: this account must no longer be found. */
export const accountErasedTell = defineTell({
  kind: 'account.erased',
  version: 1,
  body: Type.Object({ user_id: userId }),
})

/** To the home of a delegate: what the user may do for a company now. `role` null: nothing any more. */
export const delegationChangedTell = defineTell({
  kind: 'account.delegation_changed',
  version: 1,
  body: Type.Object({
    user_id: userId,
    company_id: userId,
    display_name: Type.String(),
    role: Type.Union([Type.Enum(['admin', 'operator']), Type.Null()]),
    services: Type.Array(userId),
  }),
})

/** To the region of a company: the name of its delegate, first and after each change. */
export const delegateNamedTell = defineTell({
  kind: 'account.delegate_named',
  version: 1,
  body: Type.Object({ user_id: userId, company_id: userId, display_name: Type.String() }),
})

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
