import { Button, Form, navigate, Page, SelectField, TextField } from '@sealpost/ui'
import { Problem, Shown, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'

export default function NewField(): ReactNode {
  const { data } = useWords()
  const words = data.newField
  const types = useRead('listOwnTypes', 'data')
  const [label, setLabel] = useState('')
  const [type, setType] = useState('text')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const problem = label.trim() === '' ? words.labelProblem : undefined
  const make = async (): Promise<void> => {
    const { id } = await call('createField', { label: label.trim(), type })
    navigate(href('field', { field: id }))
  }
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('data'), label: data.title }}>
      <Shown of={types}>
        {(all) => (
          <Form
            onSend={async () => {
              setTried(true)
              if (problem === undefined) await act.run(make)
            }}
          >
            <TextField
              label={words.label}
              value={label}
              onValue={setLabel}
              maxLength={100}
              problem={isTried ? problem : undefined}
            />
            <SelectField
              label={words.type}
              value={type}
              onValue={setType}
              options={all.map((each) => ({ value: each.type, label: data.types[each.type] ?? each.type }))}
            />
            <Problem failure={act.failure} />
            <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
              {words.make}
            </Button>
          </Form>
        )}
      </Shown>
    </Page>
  )
}
