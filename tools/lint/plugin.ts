import type { Rule } from './rule.ts'
import { egress } from './rules/egress.ts'
import { moduleShape, names, reasons } from './rules/files.ts'
import { modules } from './rules/modules.ts'
import { noSleeps } from './rules/no-sleeps.ts'
import { declaredDependencies, layers, ownPackage } from './rules/packages.ts'
import { pureRules } from './rules/pure-rules.ts'
import { sides } from './rules/sides.ts'
import { sqlInStore } from './rules/sql-in-store.ts'
import { timeAndChance } from './rules/time-and-chance.ts'
import { words } from './rules/words.ts'

/** The project's own lint rules, run by oxlint. Each has a fixture that must fail: see `fixtures/`. */
const plugin: { readonly meta: { readonly name: string }; readonly rules: Readonly<Record<string, Rule>> } = {
  meta: { name: 'sealpost' },
  rules: {
    'declared-dependencies': declaredDependencies,
    egress,
    layers,
    'module-shape': moduleShape,
    modules,
    names,
    'no-sleeps': noSleeps,
    'own-package': ownPackage,
    'pure-rules': pureRules,
    reasons,
    sides,
    'sql-in-store': sqlInStore,
    'time-and-chance': timeAndChance,
    words,
  },
}

export default plugin
