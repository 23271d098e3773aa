import { addLabels } from './add-labels.ts';

describe('labels that are typed', () => {
  it('come after those that are there, one for each comma, without spaces around them', () => {
    expect(addLabels(['bread'], ' rye , winter bread')).toEqual(['bread', 'rye', 'winter bread']);
  });

  it('are listed once each, and are never empty', () => {
    expect(addLabels(['bread'], 'bread,, rye,rye,')).toEqual(['bread', 'rye']);
  });
});
