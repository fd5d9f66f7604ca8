import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { checkedByRule } from '../wire/checked-by-rule.ts'
import { PasswordWrap, PublicKey } from '../wire/keys.ts'
import { ShareCode, Uuid } from '../wire/scalars.ts'

export const displayNamePattern = '\\S'
export const languagePattern = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'

const AccountInfo = Type.Object(
  {
    id: Uuid,
    user_type: Type.Enum(['person', 'company']),
    email: Type.String(),
    level: Type.Enum(['free', 'basic', 'pro', 'enterprise']),
    display_name: Type.String(),
    share_code: ShareCode,
    region: Type.String({ description: 'The code of the home region.' }),
    public_key: Type.Union([PublicKey, Type.Null()], { description: 'Null until a key bundle is stored.' }),
    storage: Type.Optional(
      Type.Object(
        {
          stored_bytes: Type.Integer({
            description: 'Files of its own values, and photos; copies for connections do not count.',
          }),
          quota_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Of its level; null for no limit.' }),
        },
        { description: 'Absent from answers of regions with an earlier release.' },
      ),
    ),
  },
  { title: 'Account' },
)

const Profile = Type.Object(
  { display_name: Type.String(), language: Type.String({ description: 'A language tag, such as `en`.' }) },
  { title: 'Profile' },
)

const KeyBundle = Type.Object({ public_key: PublicKey, encrypted_private_key: PasswordWrap }, { title: 'KeyBundle' })

const AccountKey = Type.Object(
  {
    public_key: PublicKey,
    encrypted_private_key: PasswordWrap,
    encrypted_recovery_key: Type.Union([PasswordWrap, Type.Null()]),
  },
  { title: 'AccountKey' },
)

export const readAccount = defineOperation({
  id: 'account.read',
  method: 'GET',
  path: '/api/account',
  document: 'account',
  summary: 'The account behind the token',
  callers: ['portal', 'delegate', 'account_client', 'person'],
  delegateRole: 'operator',
  rate: 'data',
  success: { status: 200, about: 'The account', body: AccountInfo },
  errors: [],
})

export const readProfile = defineOperation({
  id: 'account.read_profile',
  method: 'GET',
  path: '/api/profile',
  document: 'account',
  summary: 'Display name and language',
  callers: ['portal', 'delegate', 'account_client', 'person'],
  delegateRole: 'operator',
  rate: 'data',
  success: { status: 200, about: 'The profile', body: Profile },
  errors: [],
})

export const changeProfile = defineOperation({
  id: 'account.change_profile',
  method: 'PUT',
  path: '/api/profile',
  document: 'account',
  summary: 'Change display name or language',
  description:
    'Absent members stay unchanged. An account client changes the display name only: `language` is refused with 403.',
  callers: ['portal', 'account_client', 'person'],
  rate: 'data',
  body: Type.Object({
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: displayNamePattern })),
    // See [Note: members checked by rules]: for a client the mere presence of this member is forbidden, whatever its
    // value.
    language: Type.Optional(
      checkedByRule(Type.String({ maxLength: 35, description: 'A language tag.', examples: ['en'] })),
    ),
  }),
  success: { status: 200, about: 'The profile', body: Profile },
  errors: [],
})

export const readAccountKey = defineOperation({
  id: 'account.read_key',
  method: 'GET',
  path: '/api/account-key',
  document: 'account',
  summary: 'The key pair of the company account',
  description:
    'The private half is wrapped by a key derived from the password. It opens encrypted webhook envelopes, and values shared ' +
    'with this company as a customer. The wrapped recovery key is included: a change of the password wraps both anew.',
  callers: ['portal'],
  rate: 'data',
  success: { status: 200, about: 'The key pair', body: AccountKey },
  errors: ['keys.not_found'],
})

export const readProfileKeys = defineOperation({
  id: 'account.read_profile_keys',
  method: 'GET',
  path: '/api/profile/keys',
  document: 'customer',
  summary: 'The key bundle of the person',
  callers: ['person'],
  rate: 'data',
  success: {
    status: 200,
    about: 'The key pair, its private half wrapped by a key derived from the password',
    body: KeyBundle,
  },
  errors: ['keys.not_found'],
})

export const storeProfileKeys = defineOperation({
  id: 'account.store_profile_keys',
  method: 'POST',
  path: '/api/profile/keys',
  document: 'customer',
  summary: 'Store the key bundle of the person',
  description:
    'Only once: keys never change, because other parties have sealed to them. Sending the same bundle again gets the same answer.',
  callers: ['person'],
  rate: 'data',
  creates: true,
  body: KeyBundle,
  success: { status: 201, about: 'The bundle is stored', body: KeyBundle },
  errors: ['profile.keys_exist', 'services.key_invalid'],
})
