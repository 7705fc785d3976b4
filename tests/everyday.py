"""A hundred everyday English sentences, written for these tests."""

EVERYDAY = tuple(
    """\
The tea is too hot to drink.
My sister bought a green umbrella.
We missed the last train yesterday evening.
Can you lend me your pen for a minute?
The shop opens at nine in the morning.
I forgot my keys on the kitchen table.
He plays football with his friends on Sunday.
Do you want more bread with your soup?
Our neighbours have two small dogs.
She is learning to drive this summer.
It will probably snow in the mountains tonight.
Please write your name at the top of the page.
The children are sleeping in the next room.
I have never seen such a big fish.
What did your mother say about the trip?
They walked along the river for an hour.
The film was longer than I expected.
You should call the doctor before noon.
This chair is broken, take the other one.
My brother works in a hotel near the station.
How much do these shoes cost?
There is a letter for you on the desk.
The bus was full, so we went on foot.
I would like a glass of cold water.
She reads two newspapers at breakfast.
Is there a bank close to the museum?
He never answers his phone at night.
The soup needs a little more salt.
We are going to the sea next week.
I think the red dress suits you better.
Who left the window open all night?
The teacher explained the exercise again.
My grandfather was born in a small village.
Don't forget to feed the cat tonight.
The garden looks beautiful in spring.
I couldn't work because of the noise upstairs.
Why are you laughing at me?
He has lived in this city for ten years.
The meeting was moved to Thursday afternoon.
You can put your coat over there.
Our team lost the match again.
I cut my finger while cooking dinner.
The moon is very bright tonight, isn't it?
She wants to become a nurse.
Turn left after the second bridge.
The coffee machine doesn't work anymore.
Does your uncle still live in Paris?
We have enough time to eat something.
I was waiting for you in front of the theatre.
The baby started to cry during the concert.
He took a picture of the old church.
Nobody knows where the key is hidden.
These apples are sweeter than those.
My parents are coming to see us on Friday.
Could you speak a little louder, please?
The road is closed because of the storm.
I'm afraid of big spiders.
The singer had a warm voice.
They are building a new school near here.
We spent the whole day at the beach.
The doctor told him to stop smoking.
What time does the library close today?
I need a new pair of glasses.
He is taller than his older brother.
The milk in the fridge is sour.
You don't have to wash the dishes.
My computer is slower than yours.
The train to London leaves from platform four.
I hope you will enjoy your stay.
She lost her passport at the airport.
Is this seat still free?
The children made a cake for their mother.
It was raining when we left the house.
He speaks three languages very well.
We should buy some flowers for her.
The water in the lake is cold.
I didn't understand the last question.
Are you ready to leave the office?
The old man sat under a tree.
She put the money in her pocket.
My room is on the third floor.
They didn't tell us the truth.
The party begins at eight o'clock.
I usually drink coffee after lunch.
He opened the door without knocking.
Which of these books have you read?
The police found the stolen car.
We are looking for a cheap hotel.
You look tired, you should rest.
The puppy ran after the yellow ball.
I will help you carry the boxes.
Her daughter is seven years old.
The sun rises earlier in summer.
He fell asleep in front of the television.
Where did your father park the car?
The answer was written on the last page.
I have a meeting with my boss tomorrow.
She has been ill since Monday.
We sold our house and moved to the country.
The tickets were more expensive than last year.
""".splitlines()
)
