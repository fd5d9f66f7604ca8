import { describe, expect, test } from 'vitest'
import { MODULE_TABLE } from './module-table.ts'

describe.each(Object.entries(MODULE_TABLE))('the module table of %s', (_app, table) => {
  test('names only modules that have a row', () => {
    const named = Object.values(table).flat()
    expect(named.filter((module) => !(module in table))).toEqual([])
  })

  test('has no cycles', () => {
    const built = new Set<string>()
    const isReady = ([module, needs]: [string, readonly string[]]) =>
      !built.has(module) && needs.every((need) => built.has(need))
    for (let ready = rows(table).filter(isReady); ready.length > 0; ready = rows(table).filter(isReady)) {
      for (const [module] of ready) built.add(module)
    }
    expect(Object.keys(table).filter((module) => !built.has(module))).toEqual([])
  })
})

function rows(table: Readonly<Record<string, readonly string[]>>): readonly [string, readonly string[]][] {
  return Object.entries(table)
}
