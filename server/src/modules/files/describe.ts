import type { Description } from '../../core/model/description.ts'
import type { JsonSchema } from '../../core/model/json.ts'
import { mediaTypes } from './media-types.ts'

const file: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    mediaType: { type: 'string' },
    size: { type: 'integer', minimum: 0 },
    uploaded: { type: 'string', format: 'date-time' },
    url: { type: 'string', format: 'uri-reference' },
  },
  required: ['name', 'mediaType', 'size', 'uploaded', 'url'],
}

const list: JsonSchema = { type: 'object', properties: { files: { type: 'array', items: file } }, required: ['files'] }

const binary: JsonSchema = { type: 'string', format: 'binary' }

const content = Object.fromEntries(mediaTypes.map(type => [type, binary]))

/** What callers are told of the files of one resource. */
export const describeFiles = (
  resource: string,
): Readonly<Record<'upload' | 'list' | 'read' | 'remove', Description>> => {
  const Name = resource.charAt(0).toUpperCase() + resource.slice(1)
  return {
    upload: {
      id: `upload${Name}Files`,
      summary: 'Upload files',
      description: 'Each file is kept under the name of its form field; a file of that name is replaced.',
      body: { content: { 'multipart/form-data': { type: 'object', additionalProperties: binary } } },
      answers: {
        200: { says: 'All of them replaced others.', value: list },
        201: { says: 'Some of them are new.', value: list },
      },
      problems: [400, 401, 403, 404, 409, 413, 415, 422, 503],
    },
    list: { id: `list${Name}Files`, summary: 'List files', answers: { 200: { says: 'The files.', value: list } } },
    read: {
      id: `read${Name}File`,
      summary: 'Download a file',
      query: {
        preview: {
          says: 'Give a small picture instead that fits into a square of this size.',
          schema: { type: 'integer', minimum: 16, maximum: 512 },
        },
      },
      headers: { Range: { says: 'The part of the file to send, such as `bytes=1000-`. One part at a time.' } },
      answers: {
        200: { says: 'The file, to be saved.', content, headers: { 'Accept-Ranges': 'Always `bytes`.' } },
        206: {
          says: 'The part that was asked for.',
          content,
          headers: { 'Content-Range': 'Which bytes these are, and how many the file has.' },
        },
      },
      problems: [400, 401, 403, 404, 416, 422, 503],
    },
    remove: {
      id: `delete${Name}File`,
      summary: 'Delete a file',
      description: 'A member that points to the file becomes null.',
      answers: { 204: { says: 'It is gone.' } },
      problems: [401, 403, 404, 503],
    },
  }
}
