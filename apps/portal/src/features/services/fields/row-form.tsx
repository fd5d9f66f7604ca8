import { Button, Choices, Fields, Quiet, SelectField, TextField, Tick } from '@sealpost/ui'
import { Drawer } from '@sealpost/ui/desk'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import type { AskedRow } from '../../../worker/commands/request-rows.ts'
import { typeName } from './type-name.ts'

interface RowFormProps {
  readonly row: AskedRow
  readonly types: readonly string[]
  readonly onRow: (row: AskedRow) => void
  readonly onClose: () => void
}

const AUDIENCES = ['both', 'person', 'company'] as const

/** One row, beside the others. Nothing of it is sent before it is published. */
export function RowForm({ row, types, onRow, onClose }: RowFormProps): ReactNode {
  const words = useWords().rows
  const isNew = row.id === null
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={isNew ? words.newRow : row.label}
      acts={
        <Button look="main" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <Fields>
        <TextField
          label={words.label}
          hint={words.labelHint}
          maxLength={200}
          value={row.label}
          onValue={(label) => onRow({ ...row, label })}
        />
        {isNew ? (
          <SelectField
            label={words.type}
            hint={words.typeHint}
            options={types.map((type) => ({ value: type, label: typeName(words.types, type) }))}
            value={row.type}
            onValue={(type) => onRow({ ...row, type })}
          />
        ) : (
          <Quiet>{words.typeStays(row.plugin?.name ?? typeName(words.types, row.type))}</Quiet>
        )}
        <Demands row={row} onRow={onRow} />
        <Choices
          legend={words.audience}
          value={row.audience}
          onValue={(value) => onRow({ ...row, audience: value === 'person' || value === 'company' ? value : 'both' })}
          options={AUDIENCES.map((value) => ({ value, label: words.audiences[value] }))}
        />
      </Fields>
    </Drawer>
  )
}

function Demands({ row, onRow }: Pick<RowFormProps, 'row' | 'onRow'>): ReactNode {
  const words = useWords().rows
  const isNew = row.id === null
  return (
    <>
      <Tick
        label={words.needed}
        about={words.neededAbout}
        isOn={row.mandatoryProvide}
        onChange={(mandatoryProvide) => onRow({ ...row, mandatoryProvide })}
      />
      {row.oneTime ? null : (
        <Tick
          label={words.stays}
          about={words.staysAbout}
          isOn={row.mandatoryConnected}
          onChange={(mandatoryConnected) => onRow({ ...row, mandatoryConnected })}
        />
      )}
      {isNew ? (
        <Tick
          label={words.once}
          about={words.onceAbout}
          isOn={row.oneTime}
          onChange={(oneTime) =>
            onRow({ ...row, oneTime, mandatoryConnected: oneTime ? false : row.mandatoryConnected })
          }
        />
      ) : (
        <Quiet>{row.oneTime ? words.onceStays : words.followsStays}</Quiet>
      )}
      <Tick
        label={words.checked}
        about={words.checkedAbout}
        isOn={row.verified}
        onChange={(verified) => onRow({ ...row, verified, maxAgeDays: verified ? row.maxAgeDays : null })}
      />
    </>
  )
}
