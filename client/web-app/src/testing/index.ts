export { answerCommands, type AnsweringWorker, type Answers } from './answer-commands.ts'
