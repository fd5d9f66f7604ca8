export const runs = {
  title: 'Runs',
  lead: 'What customers and you fill in together. Answers stay sealed until you open them.',
  empty: 'No flow of this service has been started yet.',
  flow: 'Flow',
  state: 'State',
  changed: 'Changed',
  states: {
    waits: 'Waits for an answer',
    making: 'Documents are made',
    signing: 'Waits for signatures',
    completed: 'Completed',
    cancelled: 'Ended early',
  },
  run: 'A run',
  sealed: (answers: number) =>
    answers === 1 ? 'One answer is sealed to this service.' : `${answers} answers are sealed to this service.`,
  answers: 'Answers',
  by: (label: string, party: string) => `${label} · ${party}`,
  file: 'A file',
  unreadable: 'This cannot be opened: it was sealed to another key, or damaged on its way.',
  nothing: 'Nothing was answered yet.',
}
