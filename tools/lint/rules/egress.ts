import { isProduct } from '../layers.ts'
import type { Place } from '../place.ts'
import { type ModuleDeclaration, rule, type Visitors } from '../rule.ts'

const HTTP_MODULES = ['node:http', 'node:https', 'node:http2']
const HTTP_CALLS = ['request', 'get', 'connect', 'ClientRequest']
const GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']
const INSTEAD = 'outbound HTTP goes through @sealpost/egress, which refuses forbidden addresses on every hop'

export const egress = rule('outbound HTTP goes through io/egress', (place, report, context): Visitors => {
  if (!isBound(place)) return {}
  const httpNames = new Set<string>()
  return {
    Program() {
      for (const { identifier } of context.sourceCode.scopeManager.globalScope?.through ?? []) {
        const isType = identifier.parent.type === 'TSTypeQuery'
        if (!isType && GLOBALS.includes(identifier.name)) report(identifier, INSTEAD)
      }
    },
    ImportDeclaration(node) {
      if (node.importKind === 'type') return
      if (node.source?.value === 'undici') report(node, INSTEAD)
      if (!HTTP_MODULES.includes(String(node.source?.value))) return
      if (takesCall(node)) report(node, INSTEAD)
      for (const name of wholeModuleNames(node)) httpNames.add(name)
    },
    ImportExpression(node) {
      const module = String(node.source?.value)
      if (module === 'undici' || HTTP_MODULES.includes(module)) report(node, INSTEAD)
    },
    MemberExpression(node) {
      const object = node.object.name ?? ''
      const property = node.property.name ?? ''
      const isGlobal = object === 'globalThis' && GLOBALS.includes(property)
      if (isGlobal || (httpNames.has(object) && HTTP_CALLS.includes(property))) report(node, INSTEAD)
    },
  }
})

/** Exempt: clients, which run on a customer's machine and call the configured server; tests and tools. */
function isBound(place: Place): boolean {
  if (place.layer === null || place.layer === 'client' || place.isTest) return false
  return isProduct(place.layer) && place.package.name !== '@sealpost/egress'
}

function takesCall(node: ModuleDeclaration): boolean {
  return (node.specifiers ?? []).some((item) => HTTP_CALLS.includes(item.imported?.name ?? ''))
}

function wholeModuleNames(node: ModuleDeclaration): readonly string[] {
  return (node.specifiers ?? [])
    .filter((item) => item.type === 'ImportDefaultSpecifier' || item.type === 'ImportNamespaceSpecifier')
    .map((item) => item.local.name ?? '')
}
