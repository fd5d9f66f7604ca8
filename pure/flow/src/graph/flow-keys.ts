import type { Definition, FieldElement, FlowElement, FlowNode, PluginElement } from '../definition/definition.ts'

/** An element that is answered. */
export type AnswerElement = FieldElement | PluginElement

export function isAnswerElement(element: FlowElement): element is AnswerElement {
  return element.kind === 'field' || element.kind === 'plugin'
}

export function answerElements(node: FlowNode): readonly AnswerElement[] {
  return node.elements.filter(isAnswerElement)
}

/** The slugs that a submit at this step may carry, whether their elements are shown or not. */
export function slugsOf(node: FlowNode): readonly string[] {
  return answerElements(node).map((element) => element.slug)
}

export function pluginSlugs(definition: Definition): readonly string[] {
  return definition.nodes.flatMap(answerElements).flatMap(({ kind, slug }) => (kind === 'plugin' ? [slug] : []))
}

/** Every key under which an answer can be read: its slug and, for a plugin, the keys of its values. */
export function keysOf(element: AnswerElement): readonly string[] {
  return element.kind === 'field' ? [element.slug] : [...pluginKeyTypes(element).keys()]
}

export type PluginKeyType = 'number' | 'date' | 'boolean' | 'text'

/** The values of a plugin answer as keys: the slug itself reads as all blocks together. */
export function pluginKeyTypes({ slug, plugin }: PluginElement): ReadonlyMap<string, PluginKeyType> {
  const types = new Map<string, PluginKeyType>([[slug, 'text']])
  for (const { key, kind } of plugin.snapshot?.blocks ?? []) {
    types.set(`${slug}.${key}`, kind === 'search_select' ? 'text' : kind)
    if (kind === 'search_select') types.set(`${slug}.${key}.id`, 'text')
  }
  for (const { key, type } of plugin.snapshot?.outputs ?? []) types.set(`${slug}.${key}`, type)
  return types
}
