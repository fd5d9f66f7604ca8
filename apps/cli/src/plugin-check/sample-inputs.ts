import { convertInput } from '@sealpost/expression'
import type { FieldType, PluginValue, ValueType } from '@sealpost/plugin'
import { UsageError } from '../terminal.ts'

const SAMPLES = { number: 12, date: '2026-01-15', boolean: true, text: 'Sample' } satisfies Record<
  ValueType,
  PluginValue
>

/** Values for `--input KEY=VALUE`, and samples for required inputs that were not given. */
export function inputsOf({ inputs }: FieldType, given: ReadonlyMap<string, string>): ReadonlyMap<string, PluginValue> {
  return new Map(
    inputs.flatMap(({ key, type, required }) => {
      const text = given.get(key)
      if (text === undefined) return required ? [[key, SAMPLES[type]] as const] : []
      const value = convertInput(type, text)
      if (value === null) throw new UsageError(`--input ${key}=${text} is no ${type}`)
      return [[key, value] as const]
    }),
  )
}

export function readGivenInputs(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [, key, value] = /^([a-z][a-z0-9_]{0,39})=(.*)$/s.exec(text) ?? []
      if (key === undefined || value === undefined) throw new UsageError('--input is KEY=VALUE, such as amount=12000')
      return [key, value] as const
    }),
  )
}
