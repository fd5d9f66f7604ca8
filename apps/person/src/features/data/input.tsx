import { countries } from '@sealpost/field-types'
import { FieldRow, Fields, type Language, SelectField, TextField, Tick, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { TypeView } from '../../worker/commands/data.ts'
import { choicesOf, countryName, optionName, partsOf } from './display.ts'

export interface ValueInputProps {
  readonly label: string
  readonly type: TypeView
  /** A composite as JSON of its parts. */
  readonly value: string
  readonly onValue: (value: string) => void
  /** By path in the value; the empty path is the value itself. */
  readonly problems?: Readonly<Record<string, string>>
  /** Of a value with one control; of others it stands above them. */
  readonly hint?: string
  readonly isOptional?: boolean
}

/** The input of a type: by the primitive of the registry, so a type of tomorrow has one too. */
export function ValueInput(props: ValueInputProps): ReactNode {
  const { type, problems, ...field } = props
  if (type.input === 'composite') return <Composite {...props} />
  if (type.input === 'multilist') return <Multilist {...props} />
  return <Scalar {...field} input={type.input} kind={type.type} options={type.options} problem={problems?.['']} />
}

interface ScalarProps {
  readonly label: string
  readonly input: string | null
  /** The type, or the key of a part: browsers fill in by it. */
  readonly kind: string
  readonly options: readonly string[]
  readonly value: string
  readonly onValue: (value: string) => void
  readonly problem?: string | undefined
  readonly hint?: string
  readonly isOptional?: boolean
}

function Scalar({ input, kind, options, ...field }: ScalarProps): ReactNode {
  const words = useWords()
  const { language } = useLanguage()
  const autoComplete = FILL_IN[kind] ?? 'off'
  if (input === 'country' || input === 'nationality')
    return <SelectField {...field} autoComplete={autoComplete} options={[none(words), ...countryOptions(language)]} />
  if (input === 'list') {
    const named = options.map((option) => ({ value: option, label: optionName(words, option) }))
    return <SelectField {...field} options={[none(words), ...named]} />
  }
  return (
    <TextField
      {...field}
      {...NATIVE[input === 'phone' || input === 'date' ? input : kind]}
      autoComplete={autoComplete}
    />
  )
}

/** Keyboards and pickers of the device. */
const NATIVE: Readonly<Record<string, { readonly type?: string; readonly inputMode?: 'decimal' | 'numeric' }>> = {
  phone: { type: 'tel' },
  date: { type: 'date' },
  email: { type: 'email' },
  url: { type: 'url' },
  number: { inputMode: 'decimal' },
  integer: { inputMode: 'numeric' },
  decimal: { inputMode: 'decimal' },
  float: { inputMode: 'decimal' },
  cvc: { inputMode: 'numeric' },
}

const FILL_IN: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  date_of_birth: 'bday',
  street: 'address-line1',
  city: 'address-level2',
  postal_code: 'postal-code',
  state: 'address-level1',
  country: 'country',
}

function none({ data }: ReturnType<typeof useWords>) {
  return { value: '', label: data.field.choose }
}

function countryOptions(language: Language) {
  return [...countries]
    .map((code) => ({ value: code, label: countryName(language, code) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, language))
}

function Composite({ type, value, onValue, problems = {}, label }: ValueInputProps): ReactNode {
  const words = useWords().data
  const parts = partsOf(value)
  const set = (key: string, text: string): void => {
    const changed = Object.entries({ ...parts, [key]: text }).filter(([, part]) => part !== '')
    onValue(changed.length === 0 ? '' : JSON.stringify(Object.fromEntries(changed)))
  }
  const rows = LAYOUTS[type.type] ?? type.entries.map(({ key }) => [key])
  const inputs = new Map(
    type.entries.map(({ key, input, options, isRequired }) => [
      key,
      <Scalar
        key={key}
        label={words.parts[key] ?? key}
        input={input === 'state' ? 'line' : input}
        kind={key}
        options={options}
        value={parts[key] ?? ''}
        onValue={(text) => set(key, text)}
        problem={problems[key]}
        isOptional={!isRequired && OPTIONAL_PARTS.has(key)}
      />,
    ]),
  )
  const placed = new Set(rows.flat())
  const others = type.entries.filter(({ key }) => !placed.has(key)).map(({ key }) => [key])
  return (
    <fieldset aria-label={label}>
      <Fields>
        {[...rows, ...others].map((row) => (
          <FieldRow key={row.join(' ')}>{row.map((key) => inputs.get(key))}</FieldRow>
        ))}
      </Fields>
    </fieldset>
  )
}

const OPTIONAL_PARTS = new Set(['affix', 'state'])

/** What people write beside each other; further parts of a type follow below. */
const LAYOUTS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  address: [['street', 'building_number'], ['affix'], ['postal_code', 'city'], ['state', 'country']],
  bank: [['account_number'], ['account_holder'], ['bank_name', 'swift'], ['routing_number']],
  creditcard: [['number'], ['expiry', 'cvc'], ['name']],
}

function Multilist({ type, value, onValue, label }: ValueInputProps): ReactNode {
  const words = useWords()
  const chosen = choicesOf(value)
  const toggle = (option: string, isOn: boolean): void => {
    const next = type.options.filter((other) => (other === option ? isOn : chosen.includes(other)))
    onValue(next.length === 0 ? '' : JSON.stringify(next))
  }
  return (
    <fieldset aria-label={label}>
      {type.options.map((option) => (
        <Tick
          key={option}
          label={optionName(words, option)}
          isOn={chosen.includes(option)}
          onChange={(isOn) => toggle(option, isOn)}
        />
      ))}
    </fieldset>
  )
}
