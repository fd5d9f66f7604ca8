import type { Audience } from '../../../services/index.ts'
import type { CustomerType } from '../connection.ts'

/** Whether a service connects with such a customer, or a request row asks one. */
export function isAsked({ audience }: { readonly audience: Audience }, customerType: CustomerType): boolean {
  return audience === 'both' || audience === customerType
}
