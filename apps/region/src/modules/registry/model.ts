import type { FieldId, UserId } from '@sealpost/kernel'
import type { FieldUsertype } from '@sealpost/protocol'

/** A profile field that an account fills in once and shares many times. */
export interface ContactField {
  readonly id: FieldId
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly usertype: FieldUsertype
  /** Platform fields are read-only for every account. */
  readonly isSystem: boolean
  /** Null for platform fields. */
  readonly owner: UserId | null
}

/** A field that an account added itself. */
export type OwnField = ContactField & { readonly owner: UserId }
