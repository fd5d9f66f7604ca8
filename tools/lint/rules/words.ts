import { isProduct } from '../layers.ts'
import { type JsxAttribute, type JsxValue, rule, type Spanned, type Visitors } from '../rule.ts'

const LETTERS = /\p{L}{2,}/u
/** Attributes that are read by people. */
const READ = new Set([
  'about',
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'hint',
  'label',
  'lead',
  'name',
  'placeholder',
  'problem',
  'next',
  'title',
  'what',
])
/** Of HTML: `name` and `label` of these are read by programs. */
const PROGRAMS = /^(input|select|textarea|form|meta|link|button|slot|track)$/
const INSTEAD = 'words on the screen come from the catalog of the app, in every language: useWords()'

export const words = rule('no sentence is written into a page', (place, report): Visitors => {
  if (place.layer === null || !isProduct(place.layer) || place.isTest || !place.path.endsWith('.tsx')) return {}
  const check = (node: Spanned, text: unknown): void => {
    if (typeof text === 'string' && LETTERS.test(text)) report(node, INSTEAD)
  }
  return {
    JSXText(node) {
      check(node, node.value)
    },
    JSXAttribute(node) {
      if (isRead(node)) check(node, literalOf(node.value))
    },
    JSXExpressionContainer(node) {
      if (node.parent?.type === 'JSXElement' || node.parent?.type === 'JSXFragment')
        check(node, literalOf(node.expression))
    },
  }
})

function isRead({ name, parent }: JsxAttribute): boolean {
  const element = parent?.name?.name ?? ''
  return READ.has(name.name ?? '') && !(PROGRAMS.test(element) && (name.name === 'name' || name.name === 'label'))
}

/** A text, a text in braces, or a template without holes. */
function literalOf(node: JsxValue | null | undefined): unknown {
  if (node?.type === 'JSXExpressionContainer') return literalOf(node.expression)
  if (node?.type === 'TemplateLiteral') return node.quasis?.map(({ value }) => value.raw).join('')
  return node?.type === 'Literal' ? node.value : undefined
}
