// Finding words in the draft, in English.
export const finding = {
  "find.title": "Find in the draft",
  "find.count": "{at} of {all}",
  "find.none": "No match",
  "find.previous": "Previous match",
  "find.next": "Next match",
  "find.close": "Close the search",
  "keys.find": "Next or previous match in the draft",
};
