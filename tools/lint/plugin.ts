import type { Rule } from './rule.ts'
import { declaredDependencies } from './rules/declared-dependencies.ts'
import { egress } from './rules/egress.ts'
import { layers } from './rules/layers.ts'
import { moduleShape } from './rules/module-shape.ts'
import { modules } from './rules/modules.ts'
import { names } from './rules/names.ts'
import { noSleeps } from './rules/no-sleeps.ts'
import { ownPackage } from './rules/own-package.ts'
import { pureRules } from './rules/pure-rules.ts'
import { reasons } from './rules/reasons.ts'
import { sides } from './rules/sides.ts'
import { sqlInStore } from './rules/sql-in-store.ts'
import { timeAndChance } from './rules/time-and-chance.ts'

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
  },
}

export default plugin
