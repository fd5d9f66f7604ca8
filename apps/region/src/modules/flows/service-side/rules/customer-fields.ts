import { answerElements, type Definition, type FieldElement } from '@sealpost/flow'

/** A field that a customer answers, as it is listed beside the request fields of the service. */
export interface CustomerField {
  readonly slug: string
  readonly label: string
  readonly type: string
  readonly isRequired: boolean
  /** The answer must follow a field of the customer. */
  readonly isConnected: boolean
  readonly isVerified: boolean
  readonly verifiedMaxAgeDays: number | null
  readonly audience: 'person' | 'company' | 'both'
}

/** In the order of the definition. The owner's own answers never become values of a connection. */
export function customerFields({ parties, nodes }: Definition): readonly CustomerField[] {
  const audiences = new Map(
    parties.flatMap(({ key, type }) => (type === 'owner' ? [] : [[key, type ?? ('both' as const)] as const])),
  )
  return nodes.flatMap((node) => {
    const audience = audiences.get(node.party)
    if (audience === undefined) return []
    return answerElements(node).flatMap((element) =>
      element.kind === 'field' ? [{ ...fieldOf(element), audience }] : [],
    )
  })
}

function fieldOf(element: FieldElement): Omit<CustomerField, 'audience'> {
  const { slug, label, field_type: type, required, link, verified_max_age_days: maxAge = null } = element
  const isVerified = link === 'verified'
  return {
    slug,
    label,
    type,
    isRequired: required,
    isConnected: isVerified || link === 'connected',
    isVerified,
    verifiedMaxAgeDays: isVerified ? maxAge : null,
  }
}
