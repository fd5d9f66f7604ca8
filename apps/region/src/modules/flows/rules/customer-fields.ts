import {
  answerElements,
  type ChosenPlugin,
  type Definition,
  type FieldElement,
  type PluginElement,
} from '@sealpost/flow'

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
  /** Absent for a field, and in versions of a release without plugins. */
  readonly plugin?: ChosenPlugin
}

/** In the order of the definition. The owner's own answers never become values of a connection. */
export function customerFields({ parties, nodes }: Definition): readonly CustomerField[] {
  const audiences = new Map(
    parties.flatMap(({ key, type }) => (type === 'owner' ? [] : [[key, type ?? ('both' as const)] as const])),
  )
  return nodes.flatMap((node) => {
    const audience = audiences.get(node.party)
    if (audience === undefined) return []
    return answerElements(node).map((element) => ({
      ...(element.kind === 'field' ? fieldOf(element) : pluginOf(element)),
      audience,
    }))
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

/** Its answer is a snapshot. Publishing puts the description into every plugin element. */
function pluginOf({ slug, label, required, plugin }: PluginElement): Omit<CustomerField, 'audience'> {
  const { plugin_id, field_type, snapshot } = plugin
  return {
    slug,
    label,
    type: 'plugin',
    isRequired: required,
    isConnected: false,
    isVerified: false,
    verifiedMaxAgeDays: null,
    ...(snapshot === undefined
      ? {}
      : { plugin: { plugin_id, plugin_name: snapshot.plugin_name, field_type, snapshot } }),
  }
}
