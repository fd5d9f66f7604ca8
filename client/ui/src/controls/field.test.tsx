import { useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { Button } from './button.tsx'
import { DigitsField, TextField } from './field.tsx'
import { Form } from './form.tsx'
import { PasswordField } from './password-field.tsx'

function Signing({ onSend }: { readonly onSend: (name: string) => Promise<void> }) {
  const [name, setName] = useState('')
  return (
    <Form onSend={() => onSend(name)}>
      <TextField
        label="Name"
        hint="As on the paper"
        value={name}
        onValue={setName}
        problem={name === 'x' ? 'Too short' : undefined}
      />
      <Button type="submit">Send</Button>
    </Form>
  )
}

test('a field is read aloud with its hint, and with its problem while there is one', async () => {
  const screen = await openScreen(<Signing onSend={async () => {}} />)
  const field = screen.get('textbox', 'Name')
  expect(field.getAttribute('aria-invalid')).toBe('false')
  await screen.type('textbox', 'Name', 'x')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const described = (field.getAttribute('aria-describedby') ?? '').split(' ')
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['As on the paper', 'Too short'])
})

test('Enter in a field sends the form', async () => {
  const sent: string[] = []
  const screen = await openScreen(<Signing onSend={async (name) => void sent.push(name)} />)
  await screen.type('textbox', 'Name', 'Mara')
  await screen.press('Enter')
  expect(sent).toEqual(['Mara'])
})

function Code() {
  const [code, setCode] = useState('')
  return <DigitsField label="Code" value={code} onValue={setCode} />
}

test('of a code only the digits are taken', async () => {
  const screen = await openScreen(<Code />)
  await screen.type('textbox', 'Code', '12 34-x6')
  expect(screen.get('textbox', 'Code')).toHaveProperty('value', '12346')
})

function Secret() {
  const [text, setText] = useState('')
  return <PasswordField label="Password" value={text} onValue={setText} autoComplete="new-password" />
}

test('a password is hidden until the person asks to see it', async () => {
  const screen = await openScreen(<Secret />, { language: 'de' })
  const field = document.querySelector('input')
  expect(field?.type).toBe('password')
  await screen.click('button', 'Eingabe zeigen')
  expect(field?.type).toBe('text')
  await screen.click('button', 'Eingabe verbergen')
  expect(field?.type).toBe('password')
})
